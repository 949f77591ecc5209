/** Throws where the browser does not allow it. */
export async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Over plain http to another machine a page has no clipboard of its own; the old way still works there.
  const area = document.createElement('textarea')
  area.value = text
  ;(document.querySelector('dialog[open]') ?? document.body).append(area)
  const focused = document.activeElement
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('The browser did not copy.')
}

/** The same with a text that is still on its way. Begun with a press: later, some browsers would refuse it. */
export async function writeWhenKnown(text: Promise<string>): Promise<void> {
  if (!navigator.clipboard || typeof ClipboardItem === 'undefined') return writeToClipboard(await text)
  const blob = text.then((known) => new Blob([known], { type: 'text/plain' }))
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  } catch {
    await writeToClipboard(await text)
  }
}
