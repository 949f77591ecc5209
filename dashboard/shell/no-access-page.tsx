import { Lock } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/states.tsx'
import { notFoundStrings } from './not-found-strings.ts'
import { useTitle } from '../use-title.ts'

/** Of a page that the role in the workspace does not open. */
export default function NoAccessPage() {
  const { title, text } = notFoundStrings.noAccess
  useTitle(title)
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty heading="h1" icon={Lock} title={title} text={text}>
        <Button onClick={() => navigate('/')}>{notFoundStrings.home}</Button>
      </Empty>
    </div>
  )
}
