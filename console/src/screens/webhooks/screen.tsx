import { Pending } from '../../components/Pending.tsx'

export function WebhooksScreen() {
  return <Pending screen="webhooks" command="postern webhook list" />
}
