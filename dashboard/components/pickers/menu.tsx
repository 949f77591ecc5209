import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactElement, use } from 'react'
import { Link as RouteLink } from 'wouter'
import { FloatingRoot, freeEdges } from './floating-root.ts'
import { MenuButton } from './menu-button.tsx'

export type MenuItem =
  | { kind: 'line' }
  /** A choice of one, and the current value. */
  | {
      kind: 'choice'
      label: string
      value: string
      choices: { value: string; label: string; icon?: LucideIcon }[]
      onChoice: (value: string) => void
    }
  | {
      kind?: 'item'
      label: string
      icon: LucideIcon
      onSelect?: () => void
      /** A page of the dashboard, opened without a page load. */
      to?: string
      href?: string | undefined
      isDanger?: boolean
      isDisabled?: boolean
    }

type MenuProps = {
  label: string
  items: MenuItem[]
  trigger?: ReactElement
  align?: 'start' | 'end'
  /** The focus then returns to the trigger, unless the default is prevented. */
  onClosed?: ((event: Event) => void) | undefined
}

/** Not modal: a modal menu adds a style element, which the Content Security Policy blocks. */
export function Menu({ label, items, trigger, align = 'end', onClosed }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger ?? <MenuButton aria-label={label} />}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={use(FloatingRoot)}>
        <Content {...{ label, items, align, onClosed }} />
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** Rendered while it is open. */
const Content = ({ label, items, align = 'end', onClosed }: Omit<MenuProps, 'trigger'>) => (
  <DropdownMenu.Content
    className="menu"
    align={align}
    sideOffset={4}
    collisionPadding={freeEdges(use(FloatingRoot))}
    aria-label={label}
    onCloseAutoFocus={(event) => onClosed?.(event)}
  >
    {items.map((item, at) =>
      item.kind === 'line' ? (
        <DropdownMenu.Separator key={at} className="menu-line" />
      ) : item.kind === 'choice' ? (
        <Choice key={at} {...item} />
      ) : (
        <Item key={at} {...item} />
      ),
    )}
  </DropdownMenu.Content>
)

const Choice = ({ label, value, choices, onChoice }: Extract<MenuItem, { kind: 'choice' }>) => (
  <DropdownMenu.RadioGroup aria-label={label} value={value} onValueChange={onChoice}>
    {choices.map(({ value: each, label: text, icon: Icon }) => (
      <DropdownMenu.RadioItem key={each} value={each} className="menu-item">
        {Icon && <Icon size={16} aria-hidden />}
        <span>{text}</span>
        <DropdownMenu.ItemIndicator className="menu-check">
          <Check size={16} aria-hidden />
        </DropdownMenu.ItemIndicator>
      </DropdownMenu.RadioItem>
    ))}
  </DropdownMenu.RadioGroup>
)

function Item({
  label,
  icon: Icon,
  onSelect,
  to,
  href,
  isDanger,
  isDisabled,
}: Exclude<MenuItem, { kind: 'line' | 'choice' }>) {
  const content = (
    <>
      <Icon size={16} aria-hidden />
      <span>{label}</span>
    </>
  )
  const isLink = to !== undefined || href !== undefined
  return (
    <DropdownMenu.Item
      className={`menu-item${isDanger ? ' is-danger' : ''}`}
      asChild={isLink}
      disabled={isDisabled ?? false}
      onSelect={() => onSelect?.()}
    >
      {to !== undefined ? (
        <RouteLink href={to}>{content}</RouteLink>
      ) : href !== undefined ? (
        <a href={href} target="_blank" rel="noreferrer">
          {content}
        </a>
      ) : (
        content
      )}
    </DropdownMenu.Item>
  )
}
