import { ChevronDown, ChevronUp } from 'lucide-react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { IconButton } from '../../components/button.tsx'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { editorStrings } from './editor-strings.ts'
import { strings } from '../../strings.ts'
import { type LinkActions, linkMenu } from '../link-actions.tsx'

/** Opens another link in the panel. Undefined where the list ends. */
export type Neighbors = { previous: (() => void) | undefined; next: (() => void) | undefined }

type PanelToolsProps = {
  link: OwnLink
  actions: LinkActions
  /** Undefined where the link is alone, as on its page. */
  neighbors: Neighbors | undefined
  /** The link was reached from its neighbor: the next key goes on from there. */
  isReached: boolean
  /** Asks first if there is something to lose. */
  leave: (then: () => void) => void
}

/** In the head of the editor. */
export const PanelTools = ({ link, actions, neighbors, isReached, leave }: PanelToolsProps) => (
  <>
    {neighbors && (
      <div
        className="panel-neighbors"
        role="group"
        aria-label={editorStrings.neighbors}
        tabIndex={-1}
        {...(isReached ? { 'data-first': true } : {})}
      >
        <Step
          icon={ChevronUp}
          label={editorStrings.previous}
          shortcut="K"
          to={neighbors.previous}
          leave={leave}
        />
        <Step icon={ChevronDown} label={editorStrings.next} shortcut="J" to={neighbors.next} leave={leave} />
      </div>
    )}
    <Menu label={strings.links.menuOf(link.short_code)} items={itemsOf(link, actions, leave)} />
  </>
)

type StepProps = Pick<PanelToolsProps, 'leave'> & {
  icon: typeof ChevronUp
  label: string
  shortcut: string
  to: (() => void) | undefined
}

const Step = ({ icon, label, shortcut, to, leave }: StepProps) => (
  <IconButton
    icon={icon}
    label={label}
    aria-keyshortcuts={shortcut}
    disabled={to === undefined}
    onClick={() => to && leave(to)}
  />
)

function itemsOf(link: OwnLink, actions: LinkActions, leave: PanelToolsProps['leave']): MenuItem[] {
  const { copy, qr, open, archive, remove } = linkMenu(link, actions)
  // These change or hide the link that is being edited.
  const leaving = <Item extends { onSelect: () => void }>(item: Item) => ({
    ...item,
    onSelect: () =>
      leave(() => {
        actions.close()
        item.onSelect()
      }),
  })
  return [copy, leaving(qr), open, leaving(archive), { kind: 'line' }, leaving(remove)]
}
