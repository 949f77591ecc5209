import type { CreatedLinkView, NewLinkInput } from '../../src/http/endpoints/browser-types.ts'
import { writeWhenKnown } from '../components/copy.tsx'
import type { useLinkCreation } from './link-queries.ts'
import { useToast } from '../components/dialogs/toasts.tsx'
import { withoutScheme } from '../format.ts'
import { strings } from '../strings.ts'
import type { LinkActions } from './link-actions.tsx'

/** `isCopied`: the short URL is on the clipboard. */
export type Created = (link: CreatedLinkView, isCopied: boolean) => void

type Creation = ReturnType<typeof useLinkCreation>

/** Copies the short URL too. Has to start within the user's press. */
export async function createAndCopy(
  { mutateAsync }: Creation,
  input: NewLinkInput,
): Promise<Parameters<Created>> {
  const creation = mutateAsync(input)
  const copying = writeWhenKnown(creation.then(({ data }) => data.short_url)).then(
    () => true,
    () => false,
  )
  const { data } = await creation
  return [data, await copying]
}

/** Says that a link was created, and offers what one does with a new link. */
export function useCreatedToast(actions: LinkActions): Created {
  const toast = useToast()
  return (link, isCopied) => {
    const { created, createdOnly, copyShort, qr, edit } = strings.links
    toast({
      text: (isCopied ? created : createdOnly)(withoutScheme(link.short_url)),
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
