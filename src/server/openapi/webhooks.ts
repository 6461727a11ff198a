const HEADERS = {
  'webhook-id': 'Id of the event, the same at every attempt.',
  'webhook-timestamp': 'Time of the attempt in Unix seconds.',
  'webhook-signature':
    '`v1,` and the base64 of the HMAC-SHA256 over id, timestamp and body, joined by dots. Its key is the base64 after `whsec_` in the `secret`.',
}

export const WEBHOOKS = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Receive what happens in the store',
      description:
        'Sent to the `url` of each entry of the setting `webhooks`, in the form of Standard Webhooks 1.0. ' +
        'An event that is not answered with a status of 2xx is sent again, after 1 second to 1 hour. Ten refusals (4xx) end its attempts.',
      security: [],
      parameters: Object.entries(HEADERS).map(([name, description]) => ({
        ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
      },
      responses: { '2XX': { description: 'The event is accepted.' } },
    },
  },
}
