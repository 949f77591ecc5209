import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Tooltip } from './tooltip.tsx'

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  variant?: 'plain' | 'primary' | 'danger' | 'quiet'
  size?: 'medium' | 'small' | 'wide'
  icon?: LucideIcon
  /** Keeps its width and focus, and ignores presses. */
  isBusy?: boolean
  /** What to do first, shown next to the button. While it is set, the button ignores presses. */
  missing?: string | undefined
}

export function Button({
  variant = 'plain',
  size = 'medium',
  icon: Icon,
  isBusy = false,
  missing,
  ...rest
}: ButtonProps) {
  const { children, onClick, disabled, type = 'button', ...others } = rest
  const id = useId()
  const isMissing = missing !== undefined
  return (
    <>
      {isMissing && (
        <span id={id} className="missing">
          {missing}
        </span>
      )}
      <button
        {...others}
        type={type}
        className={`button is-${variant} is-${size}${isBusy ? ' is-busy' : ''}`}
        aria-busy={isBusy || undefined}
        // Not disabled: it can have the focus, so that its description is read.
        {...(isMissing && { 'aria-disabled': true, 'aria-describedby': id })}
        disabled={disabled}
        // The press of a submit button is also what Enter in a field causes.
        onClick={(event) => (isBusy || isMissing ? event.preventDefault() : onClick?.(event))}
      >
        {Icon && <Icon size={16} aria-hidden />}
        <span>{children}</span>
        {isBusy && <span className="spinner" aria-hidden />}
      </button>
    </>
  )
}

/** Looks like a link in a text. */
export const TextButton = (props: Omit<ComponentProps<'button'>, 'className'>) => (
  <button type="button" className="text-button" {...props} />
)

type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'children'> & {
  label: string
  icon: LucideIcon
}

/** An icon only. The label is its accessible name and its tooltip. */
export function IconButton({ label, icon: Icon, ...others }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button {...others} type="button" className="button is-quiet is-icon" aria-label={label}>
        <Icon size={17} aria-hidden />
      </button>
    </Tooltip>
  )
}

type ButtonLinkProps = Omit<ComponentProps<'a'>, 'className'> & { icon?: LucideIcon; children: ReactNode }

export function ButtonLink({ icon: Icon, children, ...others }: ButtonLinkProps) {
  return (
    <a {...others} className="button is-plain is-medium">
      {Icon && <Icon size={16} aria-hidden />}
      <span>{children}</span>
    </a>
  )
}
