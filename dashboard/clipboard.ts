/** Throws if the browser does not allow it. */
export async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Without HTTPS, only localhost has navigator.clipboard. execCommand works elsewhere too.
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

/** Copies a text that is not known yet. Some browsers allow it only if it starts within the click. */
export async function writeWhenKnown(text: Promise<string>): Promise<void> {
  if (!navigator.clipboard || typeof ClipboardItem === 'undefined') return writeToClipboard(await text)
  const blob = text.then((known) => new Blob([known], { type: 'text/plain' }))
  // A browser that refuses at once does not look at it.
  blob.catch(() => {})
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  } catch {
    await writeToClipboard(await text)
  }
}
