import { Pending } from '../../components/Pending.tsx'

export function ParkedScreen() {
  return <Pending screen="parked" command="postern parked list" />
}
