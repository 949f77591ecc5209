import { useState } from 'react'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { Failed, Notice } from '../components/states.tsx'
import { Switch } from '../components/fields/switch.tsx'
import './qr.css'
import { shortUrlText } from '../format.ts'
import { PLAIN_STYLE, svgUrl } from './qr-pictures.ts'
import { type Base, type StyleChoice, useStyleChoice } from './use-style-choice.ts'
import { qrStrings } from './qr-strings.ts'
import { PrintDialog } from './print-dialog.tsx'
import { Downloads } from './qr-downloads.tsx'
import { StyleSettings } from './style-settings.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import { ask } from '../api/api-client.ts'
import { requestFor } from '../links/link-address.ts'
import { useSettled } from '../use-settled.ts'
import { Bookmark, CircleCheck } from 'lucide-react'
import { Badge } from '../components/badge.tsx'
import { Button, TextButton } from '../components/button.tsx'
import { Select } from '../components/fields/field.tsx'
import type { QrVerdict } from '../../src/qr/qr-verdict.ts'

export default function QrDialog({ link, onClose }: { link: LinkView; onClose: () => void }) {
  const strings = qrStrings
  const choice = useStyleChoice(link)
  const { style, change } = choice
  const drawing = useQrDrawing(link, style)
  const { data, isChecking } = drawing
  const [isPrinting, setPrinting] = useState(false)
  return (
    <Dialog
      title={strings.title}
      subject={shortUrlText(link.short_url)}
      width="widest"
      onClose={onClose}
      foot={
        <>
          <Counts choice={choice} />
          <Downloads link={link} svg={isChecking ? undefined : data?.svg} onPrint={() => setPrinting(true)} />
        </>
      }
    >
      <div className="qr">
        <Drawing choice={choice} drawing={drawing} url={link.short_url} />
        <div className="qr-settings">
          {style && (
            <>
              <StyleBase choice={choice} />
              <StyleSettings style={style} brandColors={choice.brandColors} onChange={change} />
            </>
          )}
        </div>
      </div>
      {isPrinting && data && (
        <PrintDialog svg={data.svg} url={link.short_url} onClose={() => setPrinting(false)} />
      )}
    </Dialog>
  )
}

const Counts = ({ choice: { style, change } }: { choice: StyleChoice }) => (
  <span className="qr-counts">
    <Switch
      label={qrStrings.counts}
      isOn={style?.counts_scans ?? true}
      isDisabled={style === undefined}
      onSwitch={(counts_scans) => change({ counts_scans })}
    />
    <span aria-hidden>
      {qrStrings.counts} <span className="hint">{qrStrings.countsHint}</span>
    </span>
  </span>
)

type DrawingProps = { choice: StyleChoice; drawing: ReturnType<typeof useQrDrawing>; url: string }

/** The picture, and under it what it is worth. */
function Drawing({ choice: { style, change }, drawing, url }: DrawingProps) {
  const { data, error, isError, isChecking, refetch } = drawing
  return (
    <div className="qr-side">
      {/* The first focus: nothing else can have it before the style is there. What is transparent lies on paper. */}
      <div
        className="qr-picture"
        style={{ background: style?.background ?? 'white' }}
        tabIndex={-1}
        data-first
      >
        {data ? (
          <img src={svgUrl(data.svg)} alt={qrStrings.of(url)} />
        ) : (
          isError && <Failed query={{ error, refetch }} heading="h3" />
        )}
      </div>
      {!isError && (
        <VerdictLine
          verdict={isChecking ? undefined : data?.verdict}
          hasLogo={style !== undefined && style.logo !== null}
          quietZone={(style ?? PLAIN_STYLE).quiet_zone}
          onDarken={change}
        />
      )}
    </div>
  )
}

const SETTLED_MS = 150

/** The server draws each style once and reads it back. The last picture stays until the next is there. */
function useQrDrawing(link: LinkView, style: QrDesign | undefined) {
  const drawnStyle = useSettled(style, SETTLED_MS)
  const drawing = useQuery({
    queryKey: ['qr', link.id, drawnStyle],
    queryFn: async ({ signal }) =>
      (await ask('POST /links/{short_code}/qr', { ...requestFor(link), input: drawnStyle!, signal })).data,
    enabled: drawnStyle !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  return { ...drawing, isChecking: drawnStyle !== style || drawing.isPlaceholderData || drawing.isPending }
}

/** Whose style the code has, whether it is kept with the link, and keeping it for the workspace. */
function StyleBase({ choice }: { choice: StyleChoice }) {
  const strings = qrStrings
  return (
    <div className="qr-base">
      <Select
        aria-label={strings.base}
        size="small"
        value={choice.base}
        onChoice={choice.begin}
        choices={basesFor(choice.base).map((value) => ({ value, label: strings.bases[value] }))}
      />
      <span role="status">{choice.isOwn && <Badge>{strings.kept[choice.kept]}</Badge>}</span>
      <Button
        variant="quiet"
        size="small"
        icon={Bookmark}
        disabled={choice.isShared}
        isBusy={choice.isSaving}
        onClick={choice.save}
      >
        {strings.save}
      </Button>
    </div>
  )
}

/** A style of the link itself is made by changing another. */
const basesFor = (base: Base): Base[] =>
  base === 'link' ? ['link', 'workspace', 'plain'] : ['workspace', 'plain']

/** Below this contrast, many phone cameras do not recognize the code. */
const CONTRAST_SAFE = 4
/** Modules. ISO/IEC 18004 asks for them. */
const QUIET_ZONE_SAFE = 4

type VerdictLineProps = {
  /** Undefined while the server draws the style and reads it back. */
  verdict: QrVerdict | undefined
  hasLogo: boolean
  quietZone: number
  onDarken: (colors: NonNullable<QrVerdict['darkened']>) => void
}

const VerdictLine = (props: VerdictLineProps) => (
  <div className="qr-verdict" role="status">
    {props.verdict === undefined ? (
      <p className="hint">{qrStrings.checking}</p>
    ) : (
      <Sentence {...props} verdict={props.verdict} />
    )}
  </div>
)

function Sentence({ verdict, hasLogo, quietZone, onDarken }: VerdictLineProps & { verdict: QrVerdict }) {
  const strings = qrStrings.verdict
  // Never rounded up to what it does not reach.
  const ratio = `${Math.floor(verdict.contrast * 10) / 10} : 1`
  const { darkened } = verdict
  if (verdict.contrast < CONTRAST_SAFE) {
    return (
      <Notice tone="warn">
        <strong>{strings.weak(ratio)}</strong>{' '}
        <span>
          {strings.safe}{' '}
          {darkened && <TextButton onClick={() => onDarken(darkened)}>{strings.darken}</TextButton>}
        </span>
      </Notice>
    )
  }
  if (!verdict.is_read)
    return <Notice tone="warn">{hasLogo ? strings.logoTooLarge : strings.unreadable}</Notice>
  if (verdict.is_light_on_dark) return <Notice tone="warn">{strings.lightOnDark}</Notice>
  if (quietZone < QUIET_ZONE_SAFE) return <Notice tone="warn">{strings.quietZone}</Notice>
  return (
    <p className="qr-good">
      <CircleCheck size={16} aria-hidden />
      <span>
        <strong>{strings.good}</strong> {strings.measures(ratio, verdict.smallest_print_mm)}
      </span>
    </p>
  )
}
