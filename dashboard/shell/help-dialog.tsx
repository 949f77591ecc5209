import { Dialog } from '../parts/dialog.tsx'
import { words } from '../words.ts'

const KEYS: [keys: string[], what: string][] = [
  [['c'], words.shortcuts.create],
  [['/'], words.shortcuts.search],
  [['?'], words.shortcuts.help],
  [['Esc'], words.shortcuts.close],
  [['↑', '↓', '←', '→'], words.shortcuts.move],
]

const HelpDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={words.shortcuts.title} onClose={onClose}>
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
