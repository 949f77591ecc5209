import { Eraser, Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { Button } from '../../components/button.tsx'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { shortUrlText } from '../../format.ts'
import { strings } from '../../strings.ts'
import { useCreatedToast } from '../new-link.ts'
import { type LinkActions, linkMenu } from '../link-actions.tsx'
import { editing } from '../../chunks/chunks.ts'
import { DeleteClicksQuestion } from './delete-clicks-question.tsx'
import { deleteClicksStrings } from './delete-clicks-strings.ts'

type LinkMenuProps = { link: OwnLink; actions: LinkActions }

/** All actions on a link that have no button on its page. */
export function LinkPageMenu({ link, actions }: LinkMenuProps) {
  const [opened, setOpened] = useState<'copy' | 'tags' | 'folders' | 'clicks'>()
  const onCreated = useCreatedToast(actions)
  const { open, duplicate, test, folder, tags, archive, remove } = linkMenu(link, actions, {
    duplicate: () => setOpened('copy'),
    label: setOpened,
  })
  const line: MenuItem = { kind: 'line' }
  const system: MenuItem = {
    label: strings.links.shareWith,
    icon: Share2,
    // Closing the system's dialog is no failure.
    onSelect: () => void navigator.share({ title: link.title, url: link.short_url }).catch(() => {}),
  }
  const deleteClicks: MenuItem = {
    label: deleteClicksStrings.action,
    icon: Eraser,
    isDanger: true,
    onSelect: () => setOpened('clicks'),
  }
  // The browser's own way to share is offered where it has one.
  const readings: MenuItem[] = 'share' in navigator ? [open, system] : [open]
  const changes: MenuItem[] = [duplicate, test, line, folder, tags, line, archive, line, deleteClicks, remove]
  const close = () => setOpened(undefined)
  return (
    <>
      <Menu
        label={strings.links.menuOf(link.short_code)}
        items={actions.canWrite ? [...readings, ...changes] : readings}
      />
      <Suspense>
        {opened === 'copy' && (
          <editing.CreatePanel firstUrl="" copied={link} onCreated={onCreated} onClose={close} />
        )}
        {(opened === 'tags' || opened === 'folders') && (
          <editing.LinkLabelsDialog link={link} kind={opened} onClose={close} />
        )}
        {opened === 'clicks' && <DeleteClicksQuestion link={link} onClose={close} />}
      </Suspense>
    </>
  )
}

/** Opens the dialog of the public page. */
export function ShareButton({ link }: Pick<LinkMenuProps, 'link'>) {
  const [isOpen, setOpen] = useState(false)
  const { short_code, domain, short_url: url } = link
  return (
    <>
      <Button icon={Share2} onClick={() => setOpen(true)}>
        {strings.links.share}
      </Button>
      <Suspense>
        {isOpen && (
          <editing.ShareDialog
            subject={{ kind: 'link', name: shortUrlText(url), short_code, domain }}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
