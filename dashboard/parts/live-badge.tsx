import type { LiveState } from '../live-clicks.ts'
import { laterWords } from '../later-words.ts'
import { Badge, type Tone } from './badge.tsx'

const TONES: Record<LiveState, Tone> = { connecting: 'plain', live: 'ok', reconnecting: 'warn' }

/** Whether new clicks come by themselves at the moment. */
export const LiveBadge = ({ state }: { state: LiveState }) => (
  <span role="status">
    <Badge tone={TONES[state]}>
      <span className={`live-dot${state === 'live' ? ' is-on' : ''}`} aria-hidden />
      {laterWords.link.liveStates[state]}
    </Badge>
  </span>
)
