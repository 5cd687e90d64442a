import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'

export function Loading() {
  const { loading } = useTexts(shared)
  return (
    <p className="empty" role="status">
      {loading}
    </p>
  )
}
