import type { LiveState } from '../live-clicks.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { Badge, type Tone } from './badge.tsx'

const TONES: Record<LiveState, Tone> = { connecting: 'plain', live: 'ok', reconnecting: 'warn' }

export const LiveBadge = ({ state }: { state: LiveState }) => (
  <span role="status">
    <Badge tone={TONES[state]}>
      <span className={`live-dot${state === 'live' ? ' is-on' : ''}`} aria-hidden />
      {lazyStrings.link.liveStates[state]}
    </Badge>
  </span>
)
