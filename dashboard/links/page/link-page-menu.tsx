import { Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { Button } from '../../components/button.tsx'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { strings } from '../../strings.ts'
import { useCreatedToast } from '../new-link.ts'
import { type LinkActions, linkMenu } from '../link-actions.tsx'
import { editing } from '../../chunks/chunks.ts'

type LinkMenuProps = { link: OwnLink; actions: LinkActions }

/** All actions on a link that have no button on its page. */
export function LinkPageMenu({ link, actions }: LinkMenuProps) {
  const [opened, setOpened] = useState<'copy' | 'tags' | 'folders'>()
  const onCreated = useCreatedToast(actions)
  const { qr, open, duplicate, test, folder, tags, archive, remove } = linkMenu(link, actions, {
    duplicate: () => setOpened('copy'),
    label: setOpened,
  })
  const line: MenuItem = { kind: 'line' }
  const changes: MenuItem[] = [duplicate, test, line, folder, tags, line, archive, line, remove]
  const close = () => setOpened(undefined)
  return (
    <>
      <Menu
        label={strings.links.menuOf(link.short_code)}
        items={actions.canWrite ? [qr, open, ...changes] : [qr, open]}
      />
      <Suspense>
        {opened === 'copy' && (
          <editing.CreatePanel firstUrl="" copied={link} onCreated={onCreated} onClose={close} />
        )}
        {(opened === 'tags' || opened === 'folders') && (
          <editing.LinkLabelsDialog link={link} kind={opened} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

/** The browser's own way to share is offered where it has one. */
export function ShareButton({ link, actions }: LinkMenuProps) {
  const { copy, qr } = linkMenu(link, actions)
  const system: MenuItem = {
    label: strings.links.shareWith,
    icon: Share2,
    // Closing the system's dialog is no failure.
    onSelect: () => void navigator.share({ title: link.title, url: link.short_url }).catch(() => {}),
  }
  const items = 'share' in navigator ? [copy, qr, system] : [copy, qr]
  return (
    <Menu
      label={strings.links.share}
      items={items}
      trigger={<Button icon={Share2}>{strings.links.share}</Button>}
    />
  )
}
