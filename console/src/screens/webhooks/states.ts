/** How webhooks do: what their list can be narrowed to. */
export const webhookStates = ['failing', 'disabled', 'enabled'] as const
export type WebhookState = (typeof webhookStates)[number]
