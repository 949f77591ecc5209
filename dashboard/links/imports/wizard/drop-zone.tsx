import { CircleCheck, File as FileIcon, FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, TextButton } from '../../../components/button.tsx'
import { Notice, Progress } from '../../../components/states.tsx'
import { percent } from '../../../format.ts'
import { bytesText } from './bytes-text.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { isWhole, type Upload } from './upload.ts'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.connect

type DropZoneProps = {
  /** What is read, for people. */
  formats: string
  present: readonly ImportJobView['files'][number][]
  upload: Upload
  onFiles: (files: File[]) => void
  /** Removes the files that are there. */
  onStartOver: () => void
}

/** A field for files. The whole page takes them while they are dragged. */
export function DropZone({ formats, present, upload, onFiles, onStartOver }: DropZoneProps) {
  const isOver = useDroppedFiles(onFiles)
  const chooser = useRef<HTMLInputElement>(null)
  const { sending, isBusy, refused, retry } = upload
  const cut = isBusy ? undefined : partOf(present, upload)
  const failed = sending.find(({ error }) => error !== undefined)
  return (
    <>
      {refused && <Notice tone="bad">{refused}</Notice>}
      {failed && !isBusy && (
        <Notice tone="bad">
          {texts.failed(failed.file.name, failed.error!)}{' '}
          <Button size="small" onClick={retry}>
            {wizardStrings.retry}
          </Button>
        </Notice>
      )}
      {cut && !failed && <Notice tone="warn">{texts.cut(cut.name)}</Notice>}
      <div className={`drop-zone${isOver ? ' is-over' : ''}`}>
        <FileUp size={28} strokeWidth={1.6} aria-hidden />
        <p>
          <strong>{isOver ? texts.dropNow : present.length > 0 ? texts.dropMore : texts.drop}</strong>{' '}
          {!isOver && <TextButton onClick={() => chooser.current!.click()}>{texts.choose}</TextButton>}
        </p>
        <p className="hint">{texts.dropLimit(formats)}</p>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])])
            // The same file can be chosen again.
            target.value = ''
          }}
        />
        <Files {...{ present, upload }} />
        {present.length > 0 && !isBusy && (
          <Button size="small" onClick={onStartOver}>
            {texts.startOver}
          </Button>
        )}
      </div>
    </>
  )
}

function Files({ present, upload: { sending, isBusy } }: Pick<DropZoneProps, 'present' | 'upload'>) {
  const names = new Set(sending.map(({ file }) => file.name))
  const sent = present.filter(({ name }) => !names.has(name))
  if (sent.length + sending.length === 0) return null
  return (
    <ul className="drop-files" aria-label={texts.files}>
      {sent.map((file) => (
        <SentFile key={file.name} {...file} />
      ))}
      {sending.map(({ file, sentBytes }) => (
        <li key={file.name}>
          <FileIcon size={18} aria-hidden />
          <span className="cut">{file.name}</span>
          <span className="hint">{percent(Math.floor((sentBytes / file.size) * 100))}</span>
          <Progress label={file.name} value={sentBytes} max={file.size} isWork />
        </li>
      ))}
      {isBusy && <li className="hint">{texts.stayHere}</li>}
    </ul>
  )
}

const SentFile = ({ name, bytes, size }: DropZoneProps['present'][number]) => (
  <li>
    {isWhole({ bytes, size }) ? (
      <CircleCheck size={18} className="is-sent" aria-hidden />
    ) : (
      <FileIcon size={18} aria-hidden />
    )}
    <span className="cut">{name}</span>
    <span className="hint">
      {isWhole({ bytes, size })
        ? texts.uploaded(bytesText(bytes))
        : texts.partOf(bytesText(bytes), bytesText(size!))}
    </span>
  </li>
)

/** A file of which only the start is there. */
const partOf = (present: DropZoneProps['present'], { sending }: Upload) =>
  present.find((each) => !isWhole(each) && sending.every(({ file }) => file.name !== each.name))

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** True while files are dragged over the page. */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((files: File[]) => onFiles(files))
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    // Of the window: there is nothing that it went to.
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      take([...(event.dataTransfer?.files ?? [])])
    }
    const events = [
      ['dragover', over],
      ['dragleave', leave],
      ['drop', drop],
    ] as const
    for (const [name, listener] of events) addEventListener(name, listener)
    return () => {
      for (const [name, listener] of events) removeEventListener(name, listener)
    }
  }, [])
  return isOver
}
