type SkeletonProps = { width: number | string; height: number; radius?: number }

/** A place held for what is loading, of the very size that it will have. */
export const Skeleton = ({ width, height, radius }: SkeletonProps) => (
  <span className="skeleton" style={{ width, height, borderRadius: radius }} aria-hidden />
)
