import { Button } from '#ui/Button.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

/** A button that prints the page. */
function PrintScreen() {
  const say = useSay();
  return (
    <Button
      variant="secondary"
      size="small"
      className="print:hidden"
      needsScript
      onClick={() => window.print()}
    >
      {say('Print')}
    </Button>
  );
}

export default screen(PrintScreen);
