import type { ShareView } from '../../src/http/endpoints/browser-types.ts'
import { CodeBlock } from '../components/copy.tsx'
import { shareStrings as texts } from './share-strings.ts'

/** The image with the clicks, and what shows it elsewhere. */
export function ShareBadge({ share: { url, badge_url: badge } }: { share: ShareView }) {
  return (
    <details className="share-badge">
      <summary>{texts.badge}</summary>
      {badge === null ? (
        <p className="hint">{texts.noBadge}</p>
      ) : (
        <>
          <p className="hint">{texts.badgeHint}</p>
          <img src={new URL(badge).pathname} alt={texts.badgeAlt} height={20} />
          <CodeBlock label={texts.markdown} text={`[![${texts.badgeAlt}](${badge})](${url})`} />
          <CodeBlock
            label={texts.html}
            text={`<a href="${url}"><img src="${badge}" alt="${texts.badgeAlt}" height="20"></a>`}
          />
        </>
      )}
    </details>
  )
}
