import { ChevronDown, ChevronRight, KeyRound, Terminal, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import type { AuditEntryView, RestorableVersion } from '../../src/http/endpoints/browser-types.ts'
import { Button, IconButton } from '../components/button.tsx'
import { InitialBadge } from '../components/badge.tsx'
import { cutMiddle, exactTime, timeOfDay, withoutScheme } from '../format.ts'
import { pageOf } from '../links/link-address.ts'
import { auditStrings as texts } from './audit-strings.ts'
import { useLinkNow, useVersionBefore } from './audit-query.ts'
import { auditDiffs, codesOf, deedText, targetText } from './audit-text.ts'
import { RestoreQuestion } from '../links/history/restore-question.tsx'
import { useCan } from '../use-session.ts'

/** Whether an entry may be about one link whose version of before is kept. */
const isAboutOneVersion = ({ action, target_id: id }: { action: string; target_id: number | null }) =>
  id !== null && (action === 'link.updated' || action === 'link.version_restored')

/** Offered to users who may edit links, where there is such a version. */
function RestoreBefore({ entryId }: { entryId: number }) {
  const { data: restorable } = useVersionBefore(entryId)
  const canWrite = useCan('links:write')
  const [isAsking, setAsking] = useState(false)
  if (!canWrite || !restorable) return null
  return (
    <>
      <Button variant="quiet" size="small" icon={Undo2} onClick={() => setAsking(true)}>
        {texts.restoreBefore}
      </Button>
      {isAsking && (
        <RestoreQuestion
          link={restorable}
          version={restorable.version}
          current={restorable.current_version}
          title={texts.restoreTitle(restorable.short_code)}
          text={textOf(restorable)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** The change of the entry is the first that is undone. */
const textOf = ({ version, current_version: current }: RestorableVersion): string =>
  current === version + 1 ? texts.restoreText : texts.restoreLaterText

type EntryProps = { entry: AuditEntryView }

/** A row, and its details once it is open. */
export function AuditEntry({ entry }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const detailsId = useId()
  const what = `${deedText(entry)} ${targetText(entry)}`
  return (
    <>
      <tr role="row" className={isOpen ? 'audit-row is-open' : 'audit-row'} onClick={() => setOpen(!isOpen)}>
        <td role="cell" className="audit-time">
          <time dateTime={entry.happened_at}>{timeOfDay(entry.happened_at)}</time>
        </td>
        <td role="cell">
          <Who entry={entry} />
        </td>
        <td role="cell" className="audit-what">
          {deedText(entry)} <strong>{targetText(entry)}</strong>
        </td>
        <td role="cell" className="audit-change">
          <FirstChange entry={entry} />
        </td>
        <td role="cell" className="soft">
          {throughOf(entry)}
        </td>
        <td role="cell" className="is-number">
          <IconButton
            icon={isOpen ? ChevronDown : ChevronRight}
            label={texts.details(what)}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={(event) => {
              // The row opens it too.
              event.stopPropagation()
              setOpen(!isOpen)
            }}
          />
        </td>
      </tr>
      {isOpen && (
        <tr role="row" className="audit-details" id={detailsId}>
          <td role="cell" colSpan={6}>
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  )
}

function Who({ entry: { actor, api_key_id: keyId, user_id: userId } }: EntryProps) {
  const Icon = keyId === null ? Terminal : KeyRound
  return (
    <span className="audit-who">
      {keyId === null && userId !== null ? (
        <InitialBadge name={actor} shape="round" />
      ) : (
        <span className="audit-icon" aria-hidden>
          <Icon size={14} />
        </span>
      )}
      <span className="cut" title={actor}>
        {actor}
      </span>
    </span>
  )
}

const NOT_BROWSERS: Record<string, string> = {
  API: texts.clients.api,
  'command line': texts.clients.command_line,
  schedule: texts.schedule,
}

const throughOf = ({ client }: AuditEntryView): string => NOT_BROWSERS[client] ?? texts.clients.dashboard

/** The middle of a longer value is left out. */
const VALUE_CHARS = 44

const shortened = (value: string) => cutMiddle(withoutScheme(value), VALUE_CHARS)

function FirstChange({ entry }: EntryProps) {
  const [diff, ...others] = auditDiffs(entry)
  const codes = codesOf(entry)
  if (diff === undefined) return codes.length > 1 ? texts.span(codes[0]!, codes.at(-1)!) : null
  const before = diff.before.join(', ')
  const after = diff.after.join(', ')
  return (
    <>
      {before !== '' && (
        <>
          <del>{shortened(before)}</del> <span aria-hidden>→</span>{' '}
        </>
      )}
      <ins>{after === '' ? texts.none : shortened(after)}</ins>
      {others.length > 0 && <span className="soft"> {texts.moreChanges(others.length)}</span>}
    </>
  )
}

function Details({ entry }: EntryProps) {
  const diffs = auditDiffs(entry)
  const codes = codesOf(entry)
  const { action, target_id: id, client, happened_at: at } = entry
  const isOneLink = action.startsWith('link.') && id !== null
  return (
    <div className="audit-box">
      {diffs.length > 0 && (
        <table className="table is-tight">
          <thead>
            <tr>
              {[texts.field, texts.before, texts.after].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {diffs.map(({ field, name, before, after }) => (
              <tr key={field}>
                <th scope="row" className="audit-field">
                  {name}
                </th>
                <Lines lines={before} />
                <Lines lines={after} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {codes.length > 0 && (
        <p>
          {texts.links}: <span className="code">{codes.join(', ')}</span>
        </p>
      )}
      <p className="audit-facts soft">
        <time dateTime={at}>{exactTime(at)}</time>
        <span>{client}</span>
        <span className="code">{texts.entry(entry.id)}</span>
        {isOneLink && <OpenLink id={id} />}
        {isAboutOneVersion(entry) && <RestoreBefore entryId={entry.id} />}
      </p>
    </div>
  )
}

function OpenLink({ id }: { id: number }) {
  const link = useLinkNow(id)
  return link && <Link href={pageOf(link)}>{texts.openLink}</Link>
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <td className="code">
    {lines.join('') === '' ? (
      <span className="soft">{texts.none}</span>
    ) : (
      lines.map((line) => <div key={line}>{line}</div>)
    )}
  </td>
)
