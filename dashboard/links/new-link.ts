import type { CreatedLinkView, NewLinkInput } from '../../src/http/endpoints/browser-types.ts'
import { writeWhenKnown } from '../components/copy.tsx'
import type { useLinkCreation } from './link-queries.ts'
import { useToast } from '../components/dialogs/toasts.tsx'
import { shortUrlText } from '../format.ts'
import { strings } from '../strings.ts'
import type { LinkActions } from './link-actions.tsx'
import { useState } from 'react'
import { useSignedIn } from '../use-session.ts'

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
      text: (isCopied ? created : createdOnly)(shortUrlText(link.short_url)),
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

/** Where the next link is made: on the domain of the last one from this browser, or the default of the workspace. */
export function useNewLinkDomain() {
  const { user } = useSignedIn()
  const { domains } = user
  const key = `tern-domain-${user.workspace.id}`
  const [last, setLast] = useState(() => read(key))
  return {
    domains,
    domain: domains.find((host) => host === last) ?? domains[0]!,
    choose: (host: string) => {
      setLast(host)
      write(key, host)
    },
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, host: string): void {
  try {
    localStorage.setItem(key, host)
  } catch {
    // The browser's storage is full, or switched off.
  }
}
