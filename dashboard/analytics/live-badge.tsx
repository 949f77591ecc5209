import type { LiveState } from '../live-clicks.ts'
import { analyticsStrings } from './analytics-strings.ts'
import { Badge, type Tone } from '../components/badge.tsx'

const TONES: Record<LiveState, Tone> = { connecting: 'plain', live: 'ok', reconnecting: 'warn' }

export const LiveBadge = ({ state }: { state: LiveState }) => (
  <span role="status">
    <Badge tone={TONES[state]}>
      <span className={`live-dot${state === 'live' ? ' is-on' : ''}`} aria-hidden />
      {analyticsStrings.liveStates[state]}
    </Badge>
  </span>
)
