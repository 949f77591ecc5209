import { Archive } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/states.tsx'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from './list-strings.ts'
import { useCan } from '../../use-session.ts'
import { strings } from '../../strings.ts'

type OnlyArchivedProps = { count: number; onShow: () => void; onStart: () => void }

/** Of a workspace whose links are all archived. */
export default function OnlyArchived({ count, onShow, onStart }: OnlyArchivedProps) {
  const canCreate = useCan('links:create')
  return (
    <Empty icon={Archive} title={texts.onlyArchivedTitle} text={texts.onlyArchived(fullNumber(count))}>
      {canCreate && (
        <Button variant="primary" onClick={onStart}>
          {strings.links.paste}
        </Button>
      )}
      <Button onClick={onShow}>{texts.showArchived}</Button>
    </Empty>
  )
}
