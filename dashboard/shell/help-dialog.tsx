import { Dialog } from '../components/dialog.tsx'
import { IS_APPLE } from '../shortcuts.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { placesOf } from './places.ts'

const { shortcuts: texts } = lazyStrings
const COMMAND = IS_APPLE ? '⌘' : 'Ctrl'

type Keys = [keys: string[], what: string][]

const KEYS: Keys = [
  [[COMMAND, 'k'], texts.palette],
  [['c'], texts.create],
  [['⇧', 'c'], texts.createMore],
  [['e'], texts.edit],
  [['q'], texts.qr],
  [[COMMAND, '↵'], texts.save],
  [['j', 'k'], texts.rows],
  [['x'], texts.pick],
  [['⇧', '↑', '↓'], texts.extend],
  [[COMMAND, 'a'], texts.pickAll],
  [['t'], texts.tag],
  [['m'], texts.moveLinks],
  [['a'], texts.archive],
  [['/'], texts.search],
  [['f'], texts.filter],
  [['⌫'], texts.unfilter],
  [['?'], texts.help],
  [['Esc'], texts.close],
  [['↑', '↓', '←', '→'], texts.move],
]

export default function HelpDialog({ onClose }: { onClose: () => void }) {
  const places = placesOf(useSignedIn().user)
  const ofPages = places.flatMap(({ key, label }): Keys => (key ? [[['g', key], texts.goTo(label)]] : []))
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <dl className="shortcuts">
        {[...KEYS, ...ofPages].map(([keys, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
