import { MapPinOff } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/states.tsx'
import { strings } from '../strings/strings.ts'
import { useTitle } from './use-title.ts'

export function NotFoundPage() {
  useTitle(strings.failure.notFoundTitle)
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty
        heading="h1"
        icon={MapPinOff}
        title={strings.failure.notFoundTitle}
        text={strings.failure.notFound}
      >
        <Button onClick={() => navigate('/')}>{strings.failure.home}</Button>
      </Empty>
    </div>
  )
}
