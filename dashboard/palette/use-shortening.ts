import { errorsOf, sentenceOf } from '../components/states.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { createAndCopy } from '../links/create-and-copy.ts'
import { looksLikeUrl, withScheme } from '../links/pasted-url.ts'
import { useLinkCreation } from '../queries.ts'
import { paletteStrings as texts } from './palette-strings.ts'
import type { PaletteDialogs } from './palette-dialogs.tsx'

/** Creates a link at once, and copies its short URL. */
export function useShortening({ onCreated }: Pick<PaletteDialogs, 'onCreated'>) {
  const toast = useToast()
  const creation = useLinkCreation()
  const shorten = async (text: string) => {
    try {
      onCreated(...(await createAndCopy(creation, { original_url: withScheme(text) })))
    } catch (error) {
      const [reason = sentenceOf(error)] = errorsOf(error, 'original_url') ?? []
      toast({ tone: 'bad', text: reason })
    }
  }
  const shortenClipboard = async () => {
    let text: string
    try {
      text = (await navigator.clipboard.readText()).trim()
    } catch {
      return toast({ tone: 'bad', text: texts.noClipboard })
    }
    if (looksLikeUrl(text)) await shorten(text)
    else toast({ tone: 'bad', text: texts.noUrl })
  }
  return {
    shorten: (text: string) => void shorten(text),
    // Without HTTPS, only localhost has a clipboard that can be read.
    shortenClipboard: 'clipboard' in navigator ? () => void shortenClipboard() : undefined,
  }
}
