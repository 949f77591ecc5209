import { useState } from 'react'
import { bulkStrings } from '../strings/bulk-strings.ts'
import { decodeFile } from './bulk-file.ts'

const FILE_BYTES_MAX = 5_000_000

/** Reads a file that was chosen or dropped. `isWindows1252`: its accents may be wrong. */
export function useCsvFile(onText: (text: string) => void) {
  const [error, setError] = useState<string>()
  const [isWindows1252, setWindows1252] = useState(false)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    setWindows1252(false)
    if (file.size > FILE_BYTES_MAX) return setError(bulkStrings.tooLarge)
    const decoded = decodeFile(new Uint8Array(await file.arrayBuffer()))
    if (decoded === undefined) return setError(bulkStrings.notText)
    setError(undefined)
    setWindows1252(decoded.isWindows1252)
    onText(decoded.text)
  }
  return { take, error, isWindows1252 }
}
