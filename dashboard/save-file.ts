/** Some browsers read the file only after the click. */
const KEPT_MS = 60_000

/** Offers a file that was made here as a download. */
export function saveFile(fileName: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
