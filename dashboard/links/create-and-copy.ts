import type { CreatedLinkView, NewLinkInput } from '../../src/http/endpoints/browser-types.ts'
import { writeWhenKnown } from '../clipboard.ts'
import type { useLinkCreation } from '../queries.ts'

/** `isCopied`: the short URL is on the clipboard. */
export type Created = (link: CreatedLinkView, isCopied: boolean) => void

type Creation = ReturnType<typeof useLinkCreation>

/** Copies the short URL too. Has to start within the user's press. */
export async function createAndCopy(
  { mutateAsync }: Creation,
  input: NewLinkInput,
): Promise<Parameters<Created>> {
  const made = mutateAsync(input)
  const copying = writeWhenKnown(made.then(({ data }) => data.short_url)).then(
    () => true,
    () => false,
  )
  const { data } = await made
  return [data, await copying]
}
