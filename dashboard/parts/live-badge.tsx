import { words } from '../words.ts'
import { Badge } from './badge.tsx'

/** Whether new clicks come by themselves at the moment. */
export const LiveBadge = ({ isLive }: { isLive: boolean }) => (
  <Badge tone={isLive ? 'ok' : 'plain'}>
    <span className={`live-dot${isLive ? ' is-on' : ''}`} aria-hidden />
    {isLive ? words.link.live : words.link.liveOff}
  </Badge>
)
