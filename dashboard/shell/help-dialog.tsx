import { Dialog } from '../components/dialog.tsx'
import { IS_APPLE } from '../shortcuts.ts'
import { strings } from '../strings/strings.ts'

const KEYS: [keys: string[], what: string][] = [
  [['c'], strings.shortcuts.create],
  [['⇧', 'c'], strings.shortcuts.createMore],
  [['e'], strings.shortcuts.edit],
  [[IS_APPLE ? '⌘' : 'Ctrl', '↵'], strings.shortcuts.save],
  [['/'], strings.shortcuts.search],
  [['?'], strings.shortcuts.help],
  [['Esc'], strings.shortcuts.close],
  [['↑', '↓', '←', '→'], strings.shortcuts.move],
]

const HelpDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={strings.shortcuts.title} onClose={onClose}>
    <dl className="shortcuts">
      {KEYS.map(([keys, what]) => (
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

export default HelpDialog
