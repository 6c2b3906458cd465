/* api.h - X(name): the functions of the dispatch table that have their name in
 * CL/cl.h. Those of extensions we do not have are in icd.c; those of Direct3D, which
 * no loader exports here, stay empty. */
#ifndef IGPU_OCL_API_H
#define IGPU_OCL_API_H

/* clang-format off */
#define OCL_API(X) \
    X(clGetPlatformIDs) \
    X(clGetPlatformInfo) \
    X(clGetDeviceIDs) \
    X(clGetDeviceInfo) \
    X(clCreateContext) \
    X(clCreateContextFromType) \
    X(clRetainContext) \
    X(clReleaseContext) \
    X(clGetContextInfo) \
    X(clCreateCommandQueue) \
    X(clRetainCommandQueue) \
    X(clReleaseCommandQueue) \
    X(clGetCommandQueueInfo) \
    X(clSetCommandQueueProperty) \
    X(clCreateBuffer) \
    X(clCreateImage2D) \
    X(clCreateImage3D) \
    X(clRetainMemObject) \
    X(clReleaseMemObject) \
    X(clGetSupportedImageFormats) \
    X(clGetMemObjectInfo) \
    X(clGetImageInfo) \
    X(clCreateSampler) \
    X(clRetainSampler) \
    X(clReleaseSampler) \
    X(clGetSamplerInfo) \
    X(clCreateProgramWithSource) \
    X(clCreateProgramWithBinary) \
    X(clRetainProgram) \
    X(clReleaseProgram) \
    X(clBuildProgram) \
    X(clUnloadCompiler) \
    X(clGetProgramInfo) \
    X(clGetProgramBuildInfo) \
    X(clCreateKernel) \
    X(clCreateKernelsInProgram) \
    X(clRetainKernel) \
    X(clReleaseKernel) \
    X(clSetKernelArg) \
    X(clGetKernelInfo) \
    X(clGetKernelWorkGroupInfo) \
    X(clWaitForEvents) \
    X(clGetEventInfo) \
    X(clRetainEvent) \
    X(clReleaseEvent) \
    X(clGetEventProfilingInfo) \
    X(clFlush) \
    X(clFinish) \
    X(clEnqueueReadBuffer) \
    X(clEnqueueWriteBuffer) \
    X(clEnqueueCopyBuffer) \
    X(clEnqueueReadImage) \
    X(clEnqueueWriteImage) \
    X(clEnqueueCopyImage) \
    X(clEnqueueCopyImageToBuffer) \
    X(clEnqueueCopyBufferToImage) \
    X(clEnqueueMapBuffer) \
    X(clEnqueueMapImage) \
    X(clEnqueueUnmapMemObject) \
    X(clEnqueueNDRangeKernel) \
    X(clEnqueueTask) \
    X(clEnqueueNativeKernel) \
    X(clEnqueueMarker) \
    X(clEnqueueWaitForEvents) \
    X(clEnqueueBarrier) \
    X(clGetExtensionFunctionAddress) \
    X(clSetEventCallback) \
    X(clCreateSubBuffer) \
    X(clSetMemObjectDestructorCallback) \
    X(clCreateUserEvent) \
    X(clSetUserEventStatus) \
    X(clEnqueueReadBufferRect) \
    X(clEnqueueWriteBufferRect) \
    X(clEnqueueCopyBufferRect) \
    X(clCreateSubDevices) \
    X(clRetainDevice) \
    X(clReleaseDevice) \
    X(clCreateImage) \
    X(clCreateProgramWithBuiltInKernels) \
    X(clCompileProgram) \
    X(clLinkProgram) \
    X(clUnloadPlatformCompiler) \
    X(clGetKernelArgInfo) \
    X(clEnqueueFillBuffer) \
    X(clEnqueueFillImage) \
    X(clEnqueueMigrateMemObjects) \
    X(clEnqueueMarkerWithWaitList) \
    X(clEnqueueBarrierWithWaitList) \
    X(clGetExtensionFunctionAddressForPlatform) \
    X(clCreateCommandQueueWithProperties) \
    X(clCreatePipe) \
    X(clGetPipeInfo) \
    X(clSVMAlloc) \
    X(clSVMFree) \
    X(clEnqueueSVMFree) \
    X(clEnqueueSVMMemcpy) \
    X(clEnqueueSVMMemFill) \
    X(clEnqueueSVMMap) \
    X(clEnqueueSVMUnmap) \
    X(clCreateSamplerWithProperties) \
    X(clSetKernelArgSVMPointer) \
    X(clSetKernelExecInfo) \
    X(clGetKernelSubGroupInfoKHR) \
    X(clCloneKernel) \
    X(clCreateProgramWithIL) \
    X(clEnqueueSVMMigrateMem) \
    X(clGetDeviceAndHostTimer) \
    X(clGetHostTimer) \
    X(clGetKernelSubGroupInfo) \
    X(clSetDefaultDeviceCommandQueue) \
    X(clSetProgramReleaseCallback) \
    X(clSetProgramSpecializationConstant) \
    X(clCreateBufferWithProperties) \
    X(clCreateImageWithProperties) \
    X(clSetContextDestructorCallback)

/* The same for cl_intel_unified_shared_memory, which programs ask for by name. */
#define OCL_USM_API(X) \
    X(clHostMemAllocINTEL) \
    X(clDeviceMemAllocINTEL) \
    X(clSharedMemAllocINTEL) \
    X(clMemFreeINTEL) \
    X(clMemBlockingFreeINTEL) \
    X(clGetMemAllocInfoINTEL) \
    X(clSetKernelArgMemPointerINTEL) \
    X(clEnqueueMemFillINTEL) \
    X(clEnqueueMemsetINTEL) \
    X(clEnqueueMemcpyINTEL) \
    X(clEnqueueMigrateMemINTEL) \
    X(clEnqueueMemAdviseINTEL)
/* clang-format on */

#endif
