import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { RestorableVersion } from '../../src/http/endpoints/browser-types.ts'
import { Button } from '../components/button.tsx'
import { RestoreQuestion } from '../links/history/restore-question.tsx'
import { auditStrings as texts } from '../strings/audit-strings.ts'
import { useCan } from '../use-session.ts'
import { useVersionBefore } from './use-audit-log.ts'

/** Whether an entry may be about one link whose version of before is kept. */
export const isAboutOneVersion = ({ action, target_id: id }: { action: string; target_id: number | null }) =>
  id !== null && (action === 'link.updated' || action === 'link.version_restored')

/** Offered to users who may edit links, where there is such a version. */
export function RestoreBefore({ entryId }: { entryId: number }) {
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
