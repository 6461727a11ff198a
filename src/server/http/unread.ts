import type { Server } from 'node:http'

/**
 * Discards the rest of a body, so that the connection can be reused. node-server pauses it and
 * cuts later (2.1.8).
 */
export function passOverUnread(server: Server): void {
  server.on('request', (request, response) => {
    response.once('finish', () => {
      if (request.readableEnded) return
      request.removeAllListeners('data')
      request.resume()
    })
  })
}
