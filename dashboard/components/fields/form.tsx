import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { FormFailure } from '../states.tsx'
import { strings } from '../../strings.ts'
import { FormError } from './field.tsx'
import { useOnce } from './use-once.ts'
import { createPortal } from 'react-dom'

type FormProps = { id?: string; error: unknown; onSubmit: () => unknown; children: ReactNode }

/** After a validation error, focuses the first invalid field. Two quick presses of Enter submit it once. */
export function Form({ id, error, onSubmit, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const submit = useOnce(onSubmit)
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
      <FormError value={error}>{children}</FormError>
    </form>
  )
}

/** What submitting a form starts. */
type Change<Answer> = Pick<UseMutationResult<Answer, Error, void>, 'mutateAsync' | 'error' | 'isPending'>

/** `onDone`: only while the form is there. */
const start = <Answer,>({ mutateAsync }: Change<Answer>, onDone?: (answer: Answer) => unknown) =>
  mutateAsync(undefined, onDone && { onSuccess: (answer) => onDone(answer) })

type ChangeFormProps<Answer> = {
  change: Change<Answer>
  /** On the button. */
  action: string
  variant?: 'plain' | 'primary' | 'danger'
  /** What has to be entered first; see Button. */
  missing?: string | undefined
  /** After it is done, while the form is still there. */
  onDone?: (answer: Answer) => unknown
  children: ReactNode
}

/** A form with its button. `isWide`: the button is as wide as the form. */
export function ChangeForm<Answer>(props: ChangeFormProps<Answer> & { isWide?: boolean }) {
  const { change, action, variant = 'plain', missing, onDone, isWide = false, children } = props
  const button = (
    <Button
      type="submit"
      variant={variant}
      size={isWide ? 'wide' : 'medium'}
      missing={missing}
      isBusy={change.isPending}
    >
      {action}
    </Button>
  )
  return (
    <Form error={change.error} onSubmit={() => start(change, onDone)}>
      {children}
      {isWide ? button : <div className="actions">{button}</div>}
    </Form>
  )
}

type FormDialogProps<Answer> = ChangeFormProps<Answer> & {
  title: string
  width?: 'medium' | 'wide'
  onClose: () => void
}

/** A dialog with a form. Enter submits it. It closes when that is done, unless `onDone` says what happens then. */
export function FormDialog<Answer>(props: FormDialogProps<Answer>) {
  const { change, action, variant = 'primary', missing, title, width = 'medium', onClose, children } = props
  const { onDone = onClose } = props
  const id = useId()
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{strings.actions.cancel}</Button>
          <Button type="submit" form={id} variant={variant} missing={missing} isBusy={change.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={id} error={change.error} onSubmit={() => start(change, onDone)}>
        {children}
      </Form>
    </Dialog>
  )
}

/** What is typed into the fields of a form. `field`: for the input of one, which says what the API finds wrong with it. */
export function useFields<Values extends Record<string, string>>(first: Values) {
  const [values, setValues] = useState(first)
  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }))
  const field = (name: keyof Values & string) => ({
    apiName: name,
    value: values[name],
    onText: (text: string) => set({ [name]: text } as Partial<Values>),
  })
  return { values, set, field }
}

const stop = (event: SyntheticEvent) => event.stopPropagation()

/** For dialogs that a form in a panel opens: what is typed and sent there is not for the form. */
export const OutsideForm = ({ children }: { children: ReactNode }) =>
  createPortal(
    <div onKeyDown={stop} onSubmit={stop}>
      {children}
    </div>,
    document.body,
  )
