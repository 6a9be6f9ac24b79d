import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

/** A button that prints the page. */
function PrintScreen() {
  return (
    <Button variant="secondary" className="print:hidden" needsScript onClick={() => window.print()}>
      Print
    </Button>
  );
}

export default screen(PrintScreen);
