import { useState } from 'react';
import type { AnyProgram } from '#data/admin-programs.ts';
import { $changedProgram } from '#stores/program-page.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { ProgramForm } from './programs/ProgramForm.tsx';
import { Sponsors } from './programs/Sponsors.tsx';

/** Who sponsors a program, and its terms: what's rarely changed, last on its page. */
function ProgramTermsScreen({ program: initial }: { program: AnyProgram }) {
  const [program, setProgram] = useState(initial);
  const change = (now: AnyProgram) => {
    setProgram(now);
    $changedProgram.set(now);
  };
  return (
    <div className="flex flex-col gap-6 print:hidden">
      <Sponsors program={program} onChange={change} />
      <ProgramForm program={program} onChange={change} />
    </div>
  );
}

export default screen(ProgramTermsScreen);
