import { Card } from '../parts/card.tsx'
import { Failed } from '../parts/states.tsx'
import { laterWords } from '../later-words.ts'

type PanelFailureProps = { title: string; error: unknown; onRetry: () => void }

/** In place of one panel: what is around it stays, the range above all, by which one gets out of it. */
export const PanelFailure = ({ title, error, onRetry }: PanelFailureProps) => (
  <Card title={title}>
    <Failed
      heading="h3"
      error={error}
      onRetry={onRetry}
      title={laterWords.link.failed}
      note={laterWords.link.redirectsWork}
    />
  </Card>
)
