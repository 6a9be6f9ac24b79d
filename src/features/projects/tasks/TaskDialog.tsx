import { useId, useState } from 'react';
import type { ProjectTask } from '#data/projects.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Field } from '#ui/forms/Field.tsx';
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

/** Changes what a task says and when it is due. */
export function TaskDialog({ store, task, onClose }: TaskDialogProps) {
  const id = useId();
  // The state that is edited; after a conflict the one that the other person saved.
  const [base, setBase] = useState(task);
  const { form, submit, errorOf, failure, pending } = useSchemaForm<TaskInput>(
    taskSchema,
    async (input) => {
      const theirs = await store.save(base, input);
      if (theirs) setBase(theirs);
      else onClose();
    },
    { defaults: { title: task.title, dueOn: task.due_on ?? '' }, guarded: true },
  );
  return (
    <Dialog
      open
      firm={form.formState.isDirty}
      onOpenChange={onClose}
      title="Edit task"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} pending={pending}>
            {base === task ? 'Save' : 'Save mine'}
          </Button>
        </>
      }
    >
      <form id={id} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
        {base !== task && (
          <Notice
            tone="caution"
            live="assertive"
            title="Somebody else saved this task while you were editing"
          >
            Theirs: “{base.title}”{base.due_on && `, due ${base.due_on}`}. Save yours over it, or
            cancel to keep theirs.
          </Notice>
        )}
        <Field
          label="What is to be done"
          maxLength={400}
          error={errorOf('title')}
          {...form.register('title')}
        />
        <Field
          label="Due"
          optional
          type="date"
          error={errorOf('dueOn')}
          {...form.register('dueOn')}
        />
        <NotSaved failure={failure} send={() => void submit()} />
      </form>
    </Dialog>
  );
}
