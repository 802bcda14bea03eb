// Preloaded into an emitted service: OpenTelemetry as a team would set it up; spans go to SPANS_FILE, a line
// each.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

const exporter = {
  export(spans, done) {
    for (const { name, attributes } of spans) {
      appendFileSync(process.env.SPANS_FILE, `${JSON.stringify({ name, attributes })}\n`);
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
};
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
registerInstrumentations({
  instrumentations: [
    new HttpInstrumentation(),
    new ExpressInstrumentation(),
    new FastifyOtelInstrumentation({ registerOnInitialization: true }),
  ],
});
// Loaded by `require` once, so that the instrumentation sees them; the service's `import` gets the same modules.
const require = createRequire(`${process.cwd()}/`);
require('node:http');
require('express');
