import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { FormFailure } from '../states.tsx'
import { useSubmission } from './use-submission.ts'
import { strings } from '../../strings.ts'

type FormProps = { id?: string; error: unknown; onSubmit: () => void; children: ReactNode }

/** After a validation error, focuses the first invalid field. Two quick presses of Enter submit it once. */
export function Form({ id, error, onSubmit, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const submit = useSubmission(onSubmit)
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return (
    <form
      ref={element}
      id={id}
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <FormFailure error={error} />
      {children}
    </form>
  )
}

type FormDialogProps = Omit<FormProps, 'id' | 'error'> & {
  title: string
  action: string
  variant?: 'primary' | 'danger'
  /** What submitting the form starts. */
  mutation: { error: unknown; isPending: boolean }
  /** What has to be entered first; see Button. */
  missing?: string | undefined
  width?: 'medium' | 'wide'
  onClose: () => void
}

/** A dialog with a form. Enter submits it. */
export function FormDialog({ title, action, variant = 'primary', ...rest }: FormDialogProps) {
  const { mutation, missing, onClose, width = 'medium', ...form } = rest
  const id = useId()
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{strings.actions.cancel}</Button>
          <Button type="submit" form={id} variant={variant} missing={missing} isBusy={mutation.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={id} error={mutation.error} {...form} />
    </Dialog>
  )
}
