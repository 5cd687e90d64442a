import { Pending } from '../../components/Pending.tsx'

export function RoutesScreen() {
  return <Pending screen="routes" command="postern route list" />
}
