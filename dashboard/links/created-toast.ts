import { UNDO_MS, useToast } from '../components/dialogs/toasts.tsx'
import { withoutScheme } from '../format.ts'
import { strings } from '../strings.ts'
import type { Created } from './create-and-copy.ts'
import type { LinkActions } from './link-actions.tsx'

/** Says that a link was created, and offers what one does with a new link. */
export function useCreatedToast(actions: LinkActions): Created {
  const toast = useToast()
  return (link, isCopied) => {
    const { created, createdOnly, copyShort, qr, edit } = strings.links
    toast({
      text: (isCopied ? created : createdOnly)(withoutScheme(link.short_url)),
      shownMs: UNDO_MS,
      actions: [
        ...(isCopied ? [] : [{ label: copyShort, onSelect: () => actions.copy(link) }]),
        { label: qr, onSelect: () => actions.open('qr', link) },
        ...(isCopied
          ? [{ label: edit, onSelect: () => actions.edit({ ...link, opened: 0, version: 1 }) }]
          : []),
      ],
    })
  }
}
