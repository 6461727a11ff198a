import type { Server } from 'node:http'

/**
 * What is left of a body once its answer is sent is passed over, so that the next request on its connection can be read.
 * node-server means to do so, but what listens for the body's reader pauses it again; half a second later it cuts the
 * connection, whatever that answers by then (2.1.8). It still does so where more comes than it waits for.
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
