import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../../api/request.ts'
import { sendBytes } from '../../../api/send-bytes.ts'
import { sentenceOf } from '../../../components/states.tsx'
import { JOBS } from '../job-queries.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.connect
/** The server takes up to 900 KB at once. */
const PART_BYTES = 800_000
/** Of all files of an import. */
const BYTES_MAX = 200 * 1024 * 1024

type JobFile = ImportJobView['files'][number]
type Sending = { file: File; sentBytes: number; error?: string }

/** What the page shows of files that are being sent. */
export type Upload = {
  sending: readonly Sending[]
  isBusy: boolean
  /** Why files were not taken. */
  refused: string | undefined
  /** `jobId`: makes the job that they belong to if there is none. */
  add: (files: readonly File[], present: readonly JobFile[], jobId: () => Promise<number>) => void
  /** Goes on where a file was interrupted. */
  retry: () => void
}

/** Sends files in parts, one after the other. What was sent stays sent: after a failure the rest follows. */
export function useUpload(): Upload {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const [refused, setRefused] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const job = useRef<number>(undefined)
  const client = useQueryClient()
  const leaving = useLeaving(isBusy)
  const sendAll = async (files: readonly Sending[]) => {
    setBusy(true)
    setSending(files)
    const latest = new Map(files.map((each) => [each.file, each]))
    const note = (change: Sending) => {
      latest.set(change.file, change)
      setSending([...latest.values()])
    }
    for (const { file, sentBytes } of files) {
      try {
        await sendFile(job.current!, file, { from: sentBytes, signal: leaving.current!.signal }, (bytes) =>
          note({ file, sentBytes: bytes }),
        )
        latest.delete(file)
      } catch (error) {
        if (isOfFile(error)) {
          setRefused(sentenceOf(error))
          latest.delete(file)
        } else note({ ...latest.get(file)!, error: sentenceOf(error) })
        break
      }
    }
    await client.invalidateQueries({ queryKey: JOBS })
    setSending([...latest.values()])
    setBusy(false)
  }
  const add: Upload['add'] = (files, present, jobId) => {
    if (isBusy) return
    const reason = refusalOf(files, present)
    setRefused(reason)
    if (reason !== undefined) return
    const start = async () => {
      job.current = await jobId()
      await sendAll(files.map((file) => ({ file, sentBytes: sentBefore(file, present) })))
    }
    start().catch((error) => setRefused(sentenceOf(error)))
  }
  const retry = () => void sendAll(sending.map(({ file, sentBytes }) => ({ file, sentBytes })))
  return { sending, isBusy, refused, add, retry }
}

/** The file itself is refused: sending it again would not help. */
const isOfFile = (error: unknown): boolean => error instanceof RequestFailure && error.kind === 'invalid'

type Sent = { from: number; signal: AbortSignal }

async function sendFile(
  jobId: number,
  file: File,
  { from, signal }: Sent,
  onPart: (sentBytes: number) => void,
): Promise<void> {
  for (let offset = from; offset < file.size;) {
    const part = file.slice(offset, offset + PART_BYTES)
    await sendBytes(`/import-jobs/${jobId}/files`, { name: file.name, offset, size: file.size }, part, signal)
    offset += part.size
    onPart(offset)
  }
}

/** Of a file that was interrupted, and is chosen once more. */
const sentBefore = ({ name, size }: Pick<File, 'name' | 'size'>, present: readonly JobFile[]): number =>
  present.find((each) => each.name === name && each.size === size)?.bytes ?? 0

export const isWhole = ({ bytes, size }: Pick<JobFile, 'bytes' | 'size'>): boolean =>
  size === null || bytes === size

/** Why these files cannot be added to those that are there. */
export function refusalOf(
  files: readonly Pick<File, 'name' | 'size'>[],
  present: readonly JobFile[],
): string | undefined {
  const empty = files.find(({ size }) => size === 0)
  if (empty) return texts.empty(empty.name)
  const continued = (file: JobFile) =>
    !isWhole(file) && files.some(({ name, size }) => name === file.name && size === file.size)
  const others = present.filter((file) => !continued(file))
  const names = new Set(others.map(({ name }) => name))
  const twice = files.find(({ name }) => names.has(name) || !names.add(name))
  if (twice) return texts.twice(twice.name)
  const sizes = [...files.map(({ size }) => size), ...others.map(({ bytes, size }) => size ?? bytes)]
  return sizes.reduce((sum, size) => sum + size, 0) > BYTES_MAX ? texts.tooLarge : undefined
}

/** Ends the upload with the page, and warns before the browser leaves it. */
function useLeaving(isBusy: boolean) {
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const ending = new AbortController()
    leaving.current = ending
    return () => ending.abort()
  }, [])
  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isBusy])
  return leaving
}
