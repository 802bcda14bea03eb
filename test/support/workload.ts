import * as z from 'zod';

const labels = z.record(z.string(), z.string());

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }).optional(),
  tcpSocket: z.strictObject({ port: z.string() }).optional(),
  periodSeconds: z.number(),
  timeoutSeconds: z.number().optional(),
  failureThreshold: z.number().optional(),
});

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })).default([]),
  envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name: z.string() }) })).default([]),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).default([]),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  lifecycle: z.unknown().optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ memory: z.string() }),
  }),
  // The profile `restricted` of the Pod Security Standards, and a read-only root file system.
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })).default([]),
});

const volume = z.looseObject({
  name: z.string(),
  persistentVolumeClaim: z.strictObject({ claimName: z.string() }).optional(),
});

const podTemplate = z.strictObject({
  metadata: z.strictObject({ labels }),
  spec: z.strictObject({
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.number().default(30),
    securityContext: z.looseObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.number().positive(),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    topologySpreadConstraints: z.array(z.unknown()).optional(),
    initContainers: z.array(container).default([]),
    containers: z.array(container).length(1),
    volumes: z.array(volume).default([]),
  }),
});

/** The shape of our Deployments: anything else does not belong there. */
export const workload = z.object({
  spec: z.object({
    replicas: z.number().optional(),
    strategy: z.object({ type: z.string() }).optional(),
    selector: z.object({ matchLabels: labels }).optional(),
    template: podTemplate,
  }),
});
