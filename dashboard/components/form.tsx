import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormFailure } from './states.tsx'
import { strings } from '../strings/strings.ts'

type FormProps = { id?: string; error: unknown; onSubmit: () => void; children: ReactNode }

/** After a validation error, focuses the first invalid field. */
export function Form({ id, error, onSubmit, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
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
        onSubmit()
      }}
    >
      <FormFailure error={error} />
      {children}
    </form>
  )
}

type FormDialogProps = Omit<FormProps, 'id'> & {
  title: string
  action: string
  variant?: 'primary' | 'danger'
  isBusy: boolean
  isDisabled?: boolean
  width?: 'medium' | 'wide'
  onClose: () => void
}

/** A dialog with a form. Enter submits it. */
export function FormDialog({ title, action, variant = 'primary', ...rest }: FormDialogProps) {
  const { isBusy, isDisabled = false, onClose, width = 'medium', ...form } = rest
  const id = useId()
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{strings.actions.cancel}</Button>
          <Button type="submit" form={id} variant={variant} disabled={isDisabled} isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={id} {...form} />
    </Dialog>
  )
}
