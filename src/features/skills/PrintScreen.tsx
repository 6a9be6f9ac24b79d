import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useReady } from '#ui/use-ready.ts';

/** A button that prints the page. */
function PrintScreen() {
  const ready = useReady();
  return (
    <Button
      variant="secondary"
      className="print:hidden"
      disabled={!ready}
      onClick={() => window.print()}
    >
      Print
    </Button>
  );
}

export default screen(PrintScreen);
