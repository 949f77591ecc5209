const NAMED = /^[^<]*<([^<>]*@[^<>]*)>$/
const EMAIL = /^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/

/** What mail programs copy is `Ann Lee <ann@example.com>`: of the words, only the address stays. */
export function withoutNames(words: readonly string[]): string[] {
  const emails: string[] = []
  for (const word of words) {
    const [, named] = NAMED.exec(word) ?? []
    if (named !== undefined) while (emails.length > 0 && !emails.at(-1)!.includes('@')) emails.pop()
    emails.push((named ?? word).trim())
  }
  return emails
}

/** A typing error, found before anything is sent. The server decides. */
export const isEmail = (text: string): boolean => EMAIL.test(text)
