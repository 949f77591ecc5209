import { Dialog } from '../components/dialogs/dialog.tsx'
import { IS_APPLE } from '../shortcuts.ts'
import { shortcutStrings } from './shortcut-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { placesOf } from './places.ts'
import '../components/charts/data.css'

const COMMAND = IS_APPLE ? '⌘' : 'Ctrl'

type Keys = [keys: string[], what: string][]

const KEYS: Keys = [
  [[COMMAND, 'k'], shortcutStrings.palette],
  [['c'], shortcutStrings.create],
  [['⇧', 'c'], shortcutStrings.createMore],
  [['e'], shortcutStrings.edit],
  [['q'], shortcutStrings.qr],
  [[COMMAND, '↵'], shortcutStrings.save],
  [['j', 'k'], shortcutStrings.rows],
  [['x'], shortcutStrings.pick],
  [['⇧', '↑', '↓'], shortcutStrings.extend],
  [[COMMAND, 'a'], shortcutStrings.pickAll],
  [['t'], shortcutStrings.tag],
  [['m'], shortcutStrings.moveLinks],
  [['a'], shortcutStrings.archive],
  [[COMMAND, 'c'], shortcutStrings.copy],
  [['⌫'], shortcutStrings.remove],
  [[COMMAND, 'z'], shortcutStrings.undo],
  [['/'], shortcutStrings.search],
  [['f'], shortcutStrings.filter],
  [['⌫'], shortcutStrings.unfilter],
  [['?'], shortcutStrings.help],
  [['Esc'], shortcutStrings.close],
  [['↑', '↓', '←', '→'], shortcutStrings.move],
]

export default function HelpDialog({ onClose }: { onClose: () => void }) {
  const places = placesOf(useSignedIn().user)
  const ofPages = places.flatMap(({ key, label }): Keys =>
    key ? [[['g', key], shortcutStrings.goTo(label)]] : [],
  )
  return (
    <Dialog title={shortcutStrings.title} onClose={onClose}>
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
