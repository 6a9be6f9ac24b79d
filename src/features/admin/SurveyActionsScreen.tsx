import { useState } from 'react';
import { closeSurvey, createSurvey, type SurveyResults } from '#data/survey-results.ts';
import { db } from '#lib/db.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { CsvButton } from '#ui/table/CsvButton.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { type ResultRow, resultRows } from './survey/csv-rows.ts';

interface ActionsProps {
  /** The survey that's open; null if none is. */
  openId: string | null;
  /** What's on the screen, for the CSV file; null if there's no survey. */
  shown: SurveyResults | null;
}

const loadNew = () => import('./survey/NewSurveyDialog.tsx');
const loadReason = () => import('./ReasonDialog.tsx');

const columns: readonly DataColumn<ResultRow>[] = [
  { id: 'part', header: 'Part', csv: ({ part }) => part },
  { id: 'about', header: 'About', csv: ({ about }) => about },
  { id: 'figure', header: 'Figure', csv: ({ figure }) => figure },
  { id: 'value', header: 'Value', csv: ({ value }) => value },
];

/** Runs a change, and shows the results as they are afterward. */
async function change(run: () => Promise<void>, id: string) {
  try {
    await run();
  } catch (thrown) {
    throw reportError(thrown);
  }
  location.assign(`${hrefFor('/admin/engagement-results')}?survey=${id}`);
}

/** What an admin can do on the results screen: download them, open a survey, close it. */
function SurveyActionsScreen({ openId, shown }: ActionsProps) {
  const [opened, setOpened] = useState<'new' | 'close' | null>(null);
  const close = () => setOpened(null);
  const fresh = useOpenedPart(loadNew, opened === 'new', close);
  const reason = useOpenedPart(loadReason, opened === 'close', close);
  const [id] = useState(newId);
  async function* readAll() {
    yield shown ? resultRows(shown) : [];
    return { isComplete: true };
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {shown && (
        <CsvButton name="survey-results" columns={columns} readAll={readAll} variant="secondary" />
      )}
      {openId && (
        <Button size="small" variant="secondary" needsScript onClick={() => setOpened('close')}>
          Close the survey
        </Button>
      )}
      <Button size="small" variant="secondary" needsScript onClick={() => setOpened('new')}>
        Open a new survey
      </Button>
      {opened === 'new' && fresh && (
        <fresh.NewSurveyDialog
          replaces={openId !== null}
          onSave={(survey) => change(async () => createSurvey(await db(), id, survey), id)}
          onClose={close}
        />
      )}
      {opened === 'close' && openId && reason && (
        <reason.ReasonDialog
          action={{
            title: 'Close the survey?',
            description:
              'Nobody can answer it anymore, and personal links stop working. Its results stay, and answers that waited for more of their kind are added if there are five.',
            action: 'Close the survey',
            danger: true,
            onSubmit: (why) => change(async () => closeSurvey(await db(), openId, why), openId),
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

export default screen(SurveyActionsScreen);
