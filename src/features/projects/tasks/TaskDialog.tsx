import { useState } from 'react';
import type { ProjectTask } from '#data/projects.ts';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { NotSaved } from '../NotSaved.tsx';
import { type TaskInput, taskSchema } from '../project/project-schema.ts';
import type { TaskStore } from './task-store.ts';

interface TaskDialogProps {
  store: TaskStore;
  task: ProjectTask;
  onClose: () => void;
}

/** Edits a task's title and due date. */
export function TaskDialog({ store, task, onClose }: TaskDialogProps) {
  // The version being edited; after a conflict, the one that the other person saved.
  const [base, setBase] = useState(task);
  const fields = useSchemaForm<TaskInput>(
    taskSchema,
    async (input) => {
      const theirs = await store.save(base, input);
      if (theirs) setBase(theirs);
      else onClose();
    },
    { defaults: { title: task.title, dueOn: task.due_on ?? '' }, guarded: true },
  );
  const { form, submit, field, failure } = fields;
  return (
    <FormDialog
      fields={fields}
      firm={form.formState.isDirty}
      onClose={onClose}
      title="Edit task"
      action={base === task ? 'Save' : 'Save mine'}
    >
      {base !== task && (
        <Notice
          tone="caution"
          live="assertive"
          title="Someone else saved this task while you were editing"
        >
          Theirs: “{base.title}”{base.due_on && `, due ${base.due_on}`}. Save yours to replace it,
          or cancel to keep theirs.
        </Notice>
      )}
      <Field label="What needs to be done" maxLength={400} {...field('title')} />
      <Field label="Due" optional type="date" {...field('dueOn')} />
      <NotSaved failure={failure} send={() => void submit()} />
    </FormDialog>
  );
}
