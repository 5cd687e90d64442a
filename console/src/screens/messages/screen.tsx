import { Pending } from '../../components/Pending.tsx'

export function MessagesScreen() {
  return <Pending screen="messages" command="postern message show" />
}
