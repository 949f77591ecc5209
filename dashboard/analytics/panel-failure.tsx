import { Card } from '../components/card.tsx'
import { Failed } from '../components/states.tsx'
import { analyticsStrings } from './analytics-strings.ts'

type PanelFailureProps = { title: string; error: unknown; onRetry: () => void }

/** Replaces one panel. The range selector stays, because another range may work. */
export const PanelFailure = ({ title, error, onRetry }: PanelFailureProps) => (
  <Card title={title}>
    <Failed heading="h3" error={error} onRetry={onRetry} what={analyticsStrings.what} />
  </Card>
)
