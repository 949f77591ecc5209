import { MapPinOff } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/states.tsx'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

export function NotFoundPage() {
  useTitle(words.failure.notFoundTitle)
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty heading="h1" icon={MapPinOff} title={words.failure.notFoundTitle} text={words.failure.notFound}>
        <Button onClick={() => navigate('/')}>{words.failure.home}</Button>
      </Empty>
    </div>
  )
}
